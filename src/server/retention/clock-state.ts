import * as v from 'valibot'
import { addSetting, findSetting, setSetting } from '#server/store/installation/settings.ts'
import type { Store } from '#server/store/store.ts'
import type { ClockState } from './clock.ts'

const stateKey = 'retention_clock'

const State = v.object({ trustedAt: v.number(), doubtedMs: v.number() })

/**
 * What the runs before remembered of the clock. Before the first one that is the time of the newest block:
 * the clock may have been set wrong since.
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

/** Remembers the clock for the next look, of this process or another one. */
export async function recordClockState(store: Store, { trustedAt, doubtedMs }: ClockState): Promise<void> {
  await setSetting(store, stateKey, JSON.stringify({ trustedAt, doubtedMs }))
}

/**
 * Remembers the clock when a server starts, unless it is known from before: a clock that is set wrong before
 * the first run of retention is then doubted too.
 */
export async function recordFirstClockState(store: Store): Promise<void> {
  await addSetting(store, stateKey, JSON.stringify(await readClockState(store)))
}

function parseState(text: string | undefined): ClockState | undefined {
  if (text === undefined) return undefined
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), State), text)
  return result.success ? result.output : undefined
}
