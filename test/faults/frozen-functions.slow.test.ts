import { it } from 'vitest'
import { findPostgresPrograms } from '#test/postgres-cluster.ts'
import { minuteMs } from '#time/time-steps.ts'
import { expectNothingLostWhileFrozen } from './support/frozen-functions.ts'

it.skipIf(findPostgresPrograms() === undefined)(
  'loses none of 10,000 events in instances that are frozen after each answer, and killed now and then',
  async () => {
    await expectNothingLostWhileFrozen({ eventCount: 10_000, killEvery: 250, dropEvery: 100 })
  },
  60 * minuteMs,
)
