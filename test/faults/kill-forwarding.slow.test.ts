import { expect, it } from 'vitest'
import { expectDeliveryThroughKills } from './support/forwarding-kills.ts'

it('delivers all that was acknowledged in 200 kills', async () => {
  const { ackedCount } = await expectDeliveryThroughKills(200)
  expect(ackedCount).toBeGreaterThan(2_000)
})
