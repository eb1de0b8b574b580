/**
 * Hostile requests against a whole server, and the effects that each must not have: be stored in the wrong
 * place, be counted wrongly, connect to other hosts, use much memory, block the event loop, or leave the
 * server unhealthy. Linux only.
 *
 * npm run bench -- bad-inputs FILE.jsonl [ID PATTERN]       exit code 1 if a check fails
 */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#server/store/store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { readBadInputs, type BadInput } from './bad-inputs/case.ts'
import { checkMust } from './bad-inputs/clauses.ts'
import { findBrokenRules } from './bad-inputs/every-case.ts'
import { compareRows, sumRows, type Facts } from './bad-inputs/facts.ts'
import { sendBadInput } from './bad-inputs/send.ts'
import { readStoreRows } from './bad-inputs/store-rows.ts'
import { fixture, startTarget, type BadInputTarget } from './bad-inputs/target.ts'

/** Log levels at or above this one report a failure of the server. */
const errorLevel = 50
const settleMs = 200
/** Another address of this machine, which the flood from the cases' own address must not affect. */
const otherAddress = '127.0.0.2'

interface Result {
  id: string
  broken: string[]
  unchecked: string[]
  checked: number
  worstHealthMs: number
  growthBytes: number
}

/** Runs all cases of the file named on the command line and prints the failed checks. */
export async function runBadInputsBench(): Promise<void> {
  const [path, pattern = ''] = process.argv.slice(3)
  if (path === undefined) {
    console.error('The file of cases is missing: npm run bench -- bad-inputs FILE.jsonl [ID PATTERN]')
    process.exitCode = 2
    return
  }
  const inputs = readBadInputs(path).filter(({ id }) => new RegExp(pattern).test(id))
  const target = await startTarget()
  // The first requests include compilation.
  for (let at = 0; at < 20; at++) await sendOrdinary(target.server.origin)
  await target.readHealth()
  const firstBytes = target.resetPeakBytes()
  const bodies = new Map<string, string>()
  const results: Result[] = []
  try {
    for (const input of inputs) {
      const result = await runCase(target, input, bodies)
      results.push(result)
      for (const rule of result.broken) console.log(`FAIL ${input.id}: ${rule}`)
    }
    const lastBytes = target.resetPeakBytes()
    const broken = await endAndCheck(target)
    for (const rule of broken) console.log(`FAIL at the end: ${rule}`)
    report(results, { firstBytes, lastBytes })
    if (broken.length > 0 || results.some((result) => result.broken.length > 0)) process.exitCode = 1
  } finally {
    await target.remove()
  }
}

async function runCase(
  target: BadInputTarget,
  input: BadInput,
  bodies: Map<string, string>,
): Promise<Result> {
  const { server, databasePath } = target
  const before = readStoreRows(databasePath)
  const [connects, logged, sentUp] = [target.readConnects().length, server.log.length, target.sentUp.length]
  await target.readHealth()
  const bytes = target.resetPeakBytes()
  const answers = await sendBadInput(server.origin, input)
  // The answer to the next request on a broken connection may arrive before the request is stored; the tunnel
  // forwards after its answer.
  if (input.raw_base64 !== undefined || input.endpoint === 'tunnel') await sleep(settleMs)
  const growthBytes = target.readPeakBytes() - bytes
  const health = await target.readHealth()
  const after = readStoreRows(databasePath)
  const { added, events: addedEvents } = compareRows(before, after)
  if (input.expect.must.includes('same event id')) await sendBadInput(server.origin, input)
  const resent = readStoreRows(databasePath)
  const nextStatus = await sendOrdinary(server.origin)
  bodies.set(input.id.split('-').slice(0, 2).join('-'), answers[0]?.body ?? '')
  const facts: Facts = {
    input,
    answers,
    before,
    after,
    added,
    addedEvents,
    growthBytes,
    nextStatus,
    bodies,
    addedByResend: sumRows(compareRows(after, resent).added),
    worstHealthMs: health.worstMs,
    healthFailures: health.failures,
    connects: target.readConnects().slice(connects),
    sentUp: target.sentUp.slice(sentUp),
    nextAdded: sumRows(compareRows(resent, readStoreRows(databasePath)).added),
    loggedErrors: server.log
      .slice(logged)
      .filter(({ level }) => level === 'error' || level === 'fatal' || Number(level) >= errorLevel)
      .map((line) => JSON.stringify(line).slice(0, 300)),
  }
  const must = checkMust(facts)
  return {
    id: input.id,
    growthBytes,
    unchecked: must.unchecked,
    checked: must.checked,
    worstHealthMs: health.worstMs,
    broken: [...findBrokenRules(facts), ...must.broken.map((clause) => `does not hold: ${clause}`)],
  }
}

/** An ordinary event; resolves with the status of its answer. */
function sendOrdinary(origin: string): Promise<number> {
  const id = randomUUID().replaceAll('-', '')
  const event = JSON.stringify({ event_id: id, message: 'ordinary', platform: 'javascript' })
  const body = `{"event_id":"${id}"}\n{"type":"event"}\n${event}\n`
  const url = `${origin}/api/${fixture.project}/envelope/?sentry_version=7&sentry_key=${fixture.key}`
  return new Promise((resolve) => {
    request(url, { method: 'POST', localAddress: otherAddress, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
      .on('error', () => resolve(0))
      .end(body)
  })
}

async function endAndCheck(target: BadInputTarget): Promise<string[]> {
  const code = await target.stop()
  const stderr = target.server.stderr()
  const store = await openStore({ path: target.databasePath, clock: Date.now })
  // Only some cases have an event id in the payload, which that rule compares.
  const broken = findBrokenInvariants(store).filter((rule) => !rule.endsWith("shows another one's payload"))
  await store.close()
  if (code !== 0) broken.push(`the server ended with ${code}`)
  if (/\bat .+:\d+:\d+/.test(stderr)) broken.push(`a message has a stack: ${stderr.slice(0, 300)}`)
  return broken
}

function report(results: Result[], memory: { firstBytes: number; lastBytes: number }): void {
  const longest = results.toSorted((a, b) => b.worstHealthMs - a.worstHealthMs).slice(0, 3)
  const largest = results.toSorted((a, b) => b.growthBytes - a.growthBytes).slice(0, 3)
  const unchecked = Map.groupBy(
    results.flatMap(({ id, unchecked: texts }) => texts.map((text) => ({ id, text }))),
    ({ text }) => text,
  )
  console.log(`\nnot checked, ${unchecked.size} clauses:`)
  for (const [text, of] of unchecked) console.log(`  ${of.map(({ id }) => id).join(', ')}: ${text}`)
  const failed = results.filter(({ broken }) => broken.length > 0)
  const checked = results.reduce((sum, result) => sum + result.checked, 0)
  console.log(`\n${results.length} cases, ${failed.length} failed; ${checked} clauses checked`)
  console.log(
    `longest health check: ${longest.map((of) => `${of.worstHealthMs.toFixed(0)} ms at ${of.id}`).join(', ')}`,
  )
  console.log(
    `most memory: ${largest.map((of) => `${megabytes(of.growthBytes)} at ${of.id}`).join(', ')}; ` +
      `resident ${megabytes(memory.firstBytes)} before, ${megabytes(memory.lastBytes)} after`,
  )
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
