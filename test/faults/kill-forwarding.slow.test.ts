import { expect, it } from 'vitest'
import { expectDeliveryThroughKills } from './support/forwarding-kills.ts'
import { expectTakeOver } from './support/take-over.ts'

it('delivers every acknowledged envelope in 200 kills', async () => {
  const { ackedCount, deliveredCount, twiceCount } = await expectDeliveryThroughKills(200)
  // The figure is in docs/tunnel.md.
  process.stdout.write(
    `${ackedCount} acknowledged, ${deliveredCount} delivered, ${twiceCount} of them twice\n`,
  )
  expect(ackedCount).toBeGreaterThan(2_000)
})

it('continues on another server with the same data when the sending server is killed', async () => {
  await expectTakeOver('SIGKILL')
})
