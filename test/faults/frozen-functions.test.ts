import { it } from 'vitest'
import { findPostgresPrograms } from '../support/postgres-cluster.ts'
import { expectNothingLostWhileFrozen } from './support/frozen-functions.ts'

it.skipIf(findPostgresPrograms() === undefined)(
  'loses nothing in instances that are frozen after each answer, and killed now and then',
  async () => {
    await expectNothingLostWhileFrozen({ eventCount: 60, killEvery: 20, dropEvery: 7 })
  },
  480_000,
)
