import { expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { UpstreamConnections } from './connection.ts'

const targetOf = (port: number) => ({ origin: `http://127.0.0.1:${port}`, host: '127.0.0.1', port })

it('drops the pools of targets that are not used any more', async () => {
  const connections = new UpstreamConnections({ allowsPrivate: true })
  onTestFinished(() => connections.close())
  let passedMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
  onTestFinished(() => clock.mockRestore())
  const [kept, deleted] = [await connections.poolOf(targetOf(1)), await connections.poolOf(targetOf(2))]
  passedMs = limits.forwardPoolKeptMs
  expect(await connections.poolOf(targetOf(1))).toBe(kept)
  passedMs += 1_000
  await connections.poolOf(targetOf(3))
  expect(await connections.poolOf(targetOf(1))).toBe(kept)
  expect(await connections.poolOf(targetOf(2))).not.toBe(deleted)
})
