/**
 * Requests a server's health every 20 ms, in a separate process, so that creating bodies does not delay it.
 * For each line of its input it prints the longest response time since the last one: `node health-watch.ts
 * ORIGIN`.
 */
import { Agent, get } from 'node:http'
import { createInterface } from 'node:readline'

const everyMs = 20
const origin = process.argv[2] ?? ''
const agent = new Agent({ keepAlive: true })
const open = new Set<number>()
let worstMs = 0
let failures = 0

const timer = setInterval(() => {
  const startedAt = performance.now()
  open.add(startedAt)
  const end = (isHealthy: boolean) => {
    open.delete(startedAt)
    worstMs = Math.max(worstMs, performance.now() - startedAt)
    if (!isHealthy) failures++
  }
  get(`${origin}/healthz`, { agent }, (answer) => {
    answer.resume().on('end', () => end(answer.statusCode === 200))
  }).on('error', () => end(false))
}, everyMs)

const lines = createInterface({ input: process.stdin })
lines.on('line', () => {
  for (const startedAt of open) worstMs = Math.max(worstMs, performance.now() - startedAt)
  console.log(JSON.stringify({ worstMs, failures }))
  worstMs = 0
  failures = 0
})
lines.on('close', () => {
  clearInterval(timer)
  agent.destroy()
})
