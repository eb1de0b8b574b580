import { expect, it } from 'vitest'
import { expectDeliveryThroughKills } from './support/forwarding-kills.ts'

it('delivers every acknowledged envelope, though the forwarding server is killed repeatedly', async () => {
  const { ackedCount } = await expectDeliveryThroughKills(3)
  expect(ackedCount).toBeGreaterThan(30)
  // Up to seven starts of a server, on a busy machine.
}, 180_000)
