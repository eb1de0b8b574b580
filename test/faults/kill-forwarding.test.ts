import { expect, it } from 'vitest'
import { expectDeliveryThroughKills } from './support/forwarding-kills.ts'

it('delivers all that was acknowledged, though the server that sends on is killed again and again', async () => {
  const { ackedCount } = await expectDeliveryThroughKills(3)
  expect(ackedCount).toBeGreaterThan(30)
  // Up to seven starts of a server, on a machine that may do much else.
}, 180_000)
