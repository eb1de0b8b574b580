import { it } from 'vitest'
import { findPostgresPrograms } from '../support/postgres-cluster.ts'
import { expectNothingLostWhileFrozen } from './support/frozen-functions.ts'

it.skipIf(findPostgresPrograms() === undefined)(
  'loses none of 10,000 events in instances that are frozen after each answer, and killed now and then',
  async () => {
    await expectNothingLostWhileFrozen({ eventCount: 10_000, killEvery: 250, dropEvery: 100 })
  },
  3_600_000,
)
