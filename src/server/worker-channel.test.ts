import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WorkerChannel, WorkerEndedError } from './worker-channel.ts'

/** Doubles numbers, sends a notice for 0, and fails on negative numbers. */
const program = `
  const { parentPort } = require('node:worker_threads')
  import(${JSON.stringify(new URL('worker-channel.ts', import.meta.url).href)}).then(({ WorkerServer }) => {
    const server = new WorkerServer(parentPort, async (number) => {
      if (number < 0) throw new Error('negative')
      if (number === 0) server.notify('zero')
      await new Promise((resolve) => setTimeout(resolve, number === 1 ? 50 : 0))
      return number * 2
    })
  })
`

function openChannel() {
  const worker = new Worker(program, { eval: true })
  const error = vi.fn<(error: unknown) => void>()
  worker.on('error', error)
  onTestFinished(async () => void (await worker.terminate()))
  const notices: string[] = []
  const channel = new WorkerChannel<unknown, number, string>(worker, (notice) => notices.push(notice))
  return { channel, notices, error }
}

it('matches each reply with its request in any order', async () => {
  const { channel, notices } = openChannel()
  const replies = Promise.all([1, 2, 0].map((number) => channel.request(number)))
  expect(channel.pendingCount).toBe(3)
  expect(await replies).toEqual([2, 4, 0])
  expect(channel.pendingCount).toBe(0)
  expect(notices).toEqual(['zero'])
})

it('throws for a request that cannot be cloned, and keeps the channel open', async () => {
  const { channel } = openChannel()
  expect(() => channel.request(() => 1)).toThrow(/could not be cloned/)
  expect(channel.pendingCount).toBe(0)
  expect(await channel.request(2)).toBe(4)
})

it('rejects the open and all later requests when the worker fails', async () => {
  const { channel, error } = openChannel()
  const open = channel.request(1)
  const failing = channel.request(-1)
  await expect(open).rejects.toThrow(WorkerEndedError)
  await expect(failing).rejects.toThrow(WorkerEndedError)
  await expect(channel.request(2)).rejects.toThrow(WorkerEndedError)
  expect(error).toHaveBeenCalledOnce()
})
