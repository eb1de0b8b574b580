import * as v from 'valibot'
import { addSetting, findSetting, setSetting } from '#server/store/installation/settings.ts'
import type { Store } from '#server/store/store.ts'
import type { ClockState } from './clock.ts'

const stateKey = 'retention_clock'

const State = v.object({ trustedAt: v.number(), doubtedMs: v.number() })

/**
 * The state of the clock after the previous run. Before the first run it is the time of the newest block: the
 * clock may have been set wrong since.
 */
export async function readClockState(store: Store): Promise<ClockState> {
  const state = parseState(await findSetting(store.db, stateKey))
  if (state !== undefined) return state
  const newest = await store.db
    .selectFrom('projects as p')
    .select((of) =>
      of
        .selectFrom('body_blocks as b')
        .select('b.created_at')
        .whereRef('b.project_id', '=', 'p.id')
        .orderBy('b.id', 'desc')
        .limit(1)
        .as('created_at'),
    )
    .execute()
  const times = newest.flatMap(({ created_at: createdAt }) => createdAt ?? [])
  return { trustedAt: times.length === 0 ? store.clock() : Math.max(...times), doubtedMs: 0 }
}

/** Stores the state of the clock for the next check, in this process or another one. */
export async function recordClockState(store: Store, { trustedAt, doubtedMs }: ClockState): Promise<void> {
  await setSetting(store, stateKey, JSON.stringify({ trustedAt, doubtedMs }))
}

/**
 * Stores the state of the clock when a server starts, unless there is one: a clock that is set wrong before
 * the first run of retention is then distrusted, too.
 */
export async function recordFirstClockState(store: Store): Promise<void> {
  await addSetting(store, stateKey, JSON.stringify(await readClockState(store)))
}

function parseState(text: string | undefined): ClockState | undefined {
  if (text === undefined) return undefined
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), State), text)
  return result.success ? result.output : undefined
}
