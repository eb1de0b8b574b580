import { accountLimits } from './limits/account-limits.ts'
import { agentLimits } from './limits/agent-limits.ts'
import { alertLimits } from './limits/alert-limits.ts'
import { artifactLimits } from './limits/artifact-limits.ts'
import { channelLimits } from './limits/channel-limits.ts'
import { eventLimits } from './limits/event-limits.ts'
import { figureLimits } from './limits/figure-limits.ts'
import { forwardLimits } from './limits/forward-limits.ts'
import { frontLimits } from './limits/front-limits.ts'
import { importLimits } from './limits/import-limits.ts'
import { monitorLimits } from './limits/monitor-limits.ts'
import { pageLimits } from './limits/page-limits.ts'
import { searchLimits } from './limits/search-limits.ts'
import { storeLimits } from './limits/store-limits.ts'
import { traceLimits } from './limits/trace-limits.ts'
import { triageLimits } from './limits/triage-limits.ts'

/** All limits of the server. Each has a name, a unit and a source, see `limits/`. */
export const limits = {
  ...storeLimits,
  ...searchLimits,
  ...eventLimits,
  ...frontLimits,
  ...accountLimits,
  ...pageLimits,
  ...triageLimits,
  ...forwardLimits,
  ...artifactLimits,
  ...channelLimits,
  ...alertLimits,
  ...agentLimits,
  ...monitorLimits,
  ...importLimits,
  ...traceLimits,
  ...figureLimits,
} as const
