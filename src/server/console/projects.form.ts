import { postedPage } from '#server/auth/page-form.ts'
import { deleteProject, switchProject } from './project/danger.ts'
import { saveGeneral } from './project/general.ts'
import { saveGrouping, tryRules } from './project/grouping.ts'
import { letInAgain, saveFilters, saveOrigins } from './project/inbound.ts'
import { addKey, rotateKey, saveKey, switchKey } from './project/keys.ts'
import { saveLimits, saveSpikeGuard, saveRetention } from './project/limits.ts'
import { addMember, removeMember } from './project/members.ts'
import { postNewProject } from './project/new-project.ts'
import { projectPost } from './project/post.ts'
import { saveScrubbing, tryTypedScrubbing } from './project/scrubbing.ts'
import { sendTest } from './project/setup.ts'
import { deleteBundle } from './project/source-maps.ts'
import { addProjectUpstream, removeUpstream, saveMode } from './project/upstreams.ts'

/** The POST handlers of the pages of projects, by page. */
export const projectPosts = {
  new: postedPage(postNewProject),
  setup: projectPost({ test: sendTest }),
  general: projectPost({ save: saveGeneral }),
  inbound: projectPost({ filters: saveFilters, origins: saveOrigins, 'let-in': letInAgain }),
  grouping: projectPost({ save: saveGrouping, try: tryRules }),
  upstreams: projectPost({ mode: saveMode, add: addProjectUpstream, remove: removeUpstream }),
  scrubbing: projectPost({ save: saveScrubbing, try: tryTypedScrubbing }),
  limits: projectPost({ limits: saveLimits, 'spike-guard': saveSpikeGuard, retention: saveRetention }),
  sourceMaps: projectPost({ delete: deleteBundle }),
  members: projectPost({ add: addMember, remove: removeMember }),
  danger: projectPost({ switch: switchProject, delete: deleteProject }),
  keys: projectPost({ add: addKey, save: saveKey, switch: switchKey, rotate: rotateKey }),
}
