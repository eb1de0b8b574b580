/**
 * The cost of the clock of monitors: 10,000 cron monitors in 10 projects, which run every 5 minutes or every
 * minute, evenly spread. 99 of 100 jobs report their end on time. The clock ticks each second of a simulated
 * time, so five minutes take a few seconds; the figure is the CPU time of commits, of the clock and of the
 * events of failures, per simulated second. Memory is compared with 100 monitors in the same process, after a
 * garbage collection.
 *
 * NODE_OPTIONS=--expose-gc npm run bench -- monitors [monitors]
 */
import { join } from 'node:path'
import type { MonitorSettings } from '#monitors/schedule.ts'
import { createLog } from '#server/log.ts'
import { createMonitorClock } from '#server/monitors/monitor-clock.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { QueuedCheckIn } from '#server/store/monitors/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore } from '#server/store/store.ts'
import { processEnvelope, readEnvelope } from '#test/envelope-work.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { minuteMs } from '#time/time-steps.ts'

const projectCount = 10
const simulatedSeconds = 300

/** Runs the benchmark and prints a line for each interval. */
export async function runMonitorsBench(): Promise<void> {
  const monitorCount = Number(process.argv[3] ?? 10_000)
  for (const everyMinutes of [5, 1]) {
    const few = await measure(100, everyMinutes)
    const many = await measure(monitorCount, everyMinutes)
    const inMb = (key: 'rss' | 'heapUsed') => ((many.memory[key] - few.memory[key]) / 1024 ** 2).toFixed(0)
    console.log(
      `${monitorCount} monitors, every ${everyMinutes} min: ${(many.share * 100).toFixed(2)} % of a core, ` +
        `${many.microsPerCheckIn.toFixed(0)} µs a check-in; ` +
        `${inMb('rss')} MB more, of which ${inMb('heapUsed')} MB are objects`,
    )
  }
}

interface Measured {
  /** CPU time per simulated time. */
  share: number
  microsPerCheckIn: number
  memory: NodeJS.MemoryUsage
}

async function measure(monitorCount: number, everyMinutes: number): Promise<Measured> {
  const folder = await createTempDir()
  try {
    let now = Date.UTC(2026, 4, 1, 10)
    const log = createLog('silent')
    const store = await openStore({ path: join(folder.path, 'culvert.db'), clock: () => now })
    for (let id = 1; id <= projectCount; id += 1) await createProject(store, { id, name: `Project ${id}` })
    const committer = createCommitter(store, log)
    const clock = createMonitorClock({
      store,
      log,
      isServerless: false,
      uptime: { privateDestinations: { networks: [], hosts: [] } },
      ingest: async ({ projectId, body }) => {
        const { work } = processEnvelope(readEnvelope(body), { projectId, receivedAt: now })
        await committer.commit(work)
      },
    })
    const send = (checkIns: QueuedCheckIn[]) =>
      committer.commit({ events: [], outcomes: [], deadLetters: [], checkIns })
    const checkInOf = (number: number): QueuedCheckIn => ({
      projectId: (number % projectCount) + 1,
      receivedAt: now,
      checkIn: {
        slug: `job-${number}`,
        environment: 'production',
        status: 'ok',
        durationMs: 1_200,
        config: { ok: true, settings: settingsOf(everyMinutes, number) },
      },
    })
    const secondsOfInterval = everyMinutes * 60
    let sent = 0
    const second = async (isMeasured: boolean) => {
      const checkIns: QueuedCheckIn[] = []
      const at = Math.floor(now / 1000) % secondsOfInterval
      for (let number = at; number < monitorCount; number += secondsOfInterval)
        if (!isMeasured || (number + Math.floor(now / (everyMinutes * minuteMs))) % 100 !== 0)
          checkIns.push(checkInOf(number))
      sent += checkIns.length
      // In parallel, as from several clients.
      for (let index = 0; index < checkIns.length; index += 8) await send(checkIns.slice(index, index + 8))
      await clock.check()
      now += 1_000
    }
    // The first interval creates every monitor.
    for (let index = 0; index < secondsOfInterval; index += 1) await second(false)
    sent = 0
    const cpuBefore = process.cpuUsage()
    for (let index = 0; index < simulatedSeconds; index += 1) await second(true)
    const { user, system } = process.cpuUsage(cpuBefore)
    globalThis.gc?.()
    const memory = process.memoryUsage()
    await clock.stop()
    await store.close()
    const micros = user + system
    return { share: micros / 1e6 / simulatedSeconds, microsPerCheckIn: micros / sent, memory }
  } finally {
    await folder.remove()
  }
}

/** Minutes are spread over the interval, as in real schedules. */
function settingsOf(everyMinutes: number, number: number): MonitorSettings {
  const minute = Math.floor((number % (everyMinutes * 60)) / 60)
  const crontab = everyMinutes === 1 ? '* * * * *' : `${minute}-59/${everyMinutes} * * * *`
  return {
    schedule: { kind: 'crontab', crontab, timeZone: 'Europe/Berlin' },
    marginMinutes: 1,
    maxRuntimeMinutes: 30,
    failureThreshold: 1,
    recoveryThreshold: 1,
  }
}
