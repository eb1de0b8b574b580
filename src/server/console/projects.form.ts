import { saveGeneral } from './project/general.ts'
import { addKey, rotateKey, saveKey, switchKey } from './project/keys.ts'
import { projectPost } from './project/post.ts'

/** The POST handlers of the pages of projects, by page. */
export const projectPosts = {
  general: projectPost({ save: saveGeneral }),
  keys: projectPost({ add: addKey, save: saveKey, switch: switchKey, rotate: rotateKey }),
}
