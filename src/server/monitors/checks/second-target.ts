import { lookup } from 'node:dns'
import type { UptimeTarget } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import { listHealthyTargets } from '#server/store/monitors/due-checks.ts'
import type { Store } from '#server/store/store.ts'
import type { CheckedHost, ConnectRule } from './connect-rule.ts'
import { toCheckedHost } from './http-check.ts'
import { checkTcp } from './socket-check.ts'

/** Tests whether Culvert's own network works when a check fails for the first time. */
export interface NetworkTest {
  /**
   * Connects to a second target: the operator's, or hosts of other healthy monitors. Returns false if none
   * can be reached. Returns true if there is no second target.
   */
  isUp(failed: UptimeTarget): Promise<boolean>
}

/** Maximum number of monitors to read for their hosts. */
const monitorsRead = 50

/** Creates a test. `configured`: the operator's second target. */
export function createNetworkTest({
  store,
  rule,
  configured,
}: {
  store: Store
  rule: ConnectRule
  configured: CheckedHost | undefined
}): NetworkTest {
  const known = new Map<string, { at: number; isOpen: Promise<boolean> }>()
  const isOpen = (host: CheckedHost, hostRule: ConnectRule) => {
    const key = `${host.host} ${host.port}`
    const now = performance.now()
    for (const [each, { at }] of known) if (now - at > limits.uptimeSecondTargetKeptMs) known.delete(each)
    const found = known.get(key) ?? { at: now, isOpen: connects(host, hostRule) }
    known.set(key, found)
    return found.isOpen
  }
  return {
    async isUp(failed) {
      // The operator may configure any address.
      if (configured !== undefined) return isOpen(configured, () => lookup)
      const hosts = await findHosts(store, failed)
      if (hosts.length === 0) return true
      const found = await Promise.all(hosts.map((host) => isOpen(host, rule)))
      return found.includes(true)
    },
  }
}

/** Hosts of healthy monitors, except the one that failed. */
async function findHosts(store: Store, failed: UptimeTarget): Promise<CheckedHost[]> {
  const { host: failedHost } = toHost(failed)
  const targets = await listHealthyTargets(store.db, {
    since: store.clock() - limits.checkInAgeMs,
    limit: monitorsRead,
  })
  const hosts = new Map(targets.map((target) => [toHost(target).host, toHost(target)]))
  hosts.delete(failedHost)
  return [...hosts.values()].slice(0, limits.uptimeSecondTargets)
}

function toHost(target: UptimeTarget): CheckedHost {
  return target.kind === 'http' ? toCheckedHost(new URL(target.url)) : target
}

async function connects(host: CheckedHost, rule: ConnectRule): Promise<boolean> {
  try {
    await checkTcp(host, { rule, signal: AbortSignal.timeout(limits.uptimeSecondTargetMs) })
    return true
  } catch {
    return false
  }
}
