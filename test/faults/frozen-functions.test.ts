import { it } from 'vitest'
import { findPostgresPrograms } from '#test/postgres-cluster.ts'
import { expectNothingLostWhileFrozen } from './support/frozen-functions.ts'

it.skipIf(findPostgresPrograms() === undefined)(
  'loses nothing in instances that are frozen after each answer, and killed now and then',
  async () => {
    await expectNothingLostWhileFrozen({ eventCount: 30, killEvery: 14, dropEvery: 4, endsLostLeases: true })
  },
  480_000,
)
