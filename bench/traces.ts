/**
 * Spans per second that Culvert accepts and commits, compared with a baseline server; how spans slow down
 * errors; how its own traces slow down the console; and the trace screens with a full store.
 *
 * npm run bench -- traces [ingest] [errors] [own] [screens] [--engine sqlite,postgres]
 *
 * `screens` fills a store with 2 GB of bodies, or `BENCH_BODY_BYTES`. BENCH_SECONDS and BENCH_ROUNDS (3 and
 * 5) change the length of a run. `--engine sqlite,postgres` starts its own PostgreSQL server, with fsync, or
 * uses the one of `DATABASE_URL`, which must be on this machine.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { openBenchPostgres } from './support/postgres-server.ts'
import { measureErrors } from './traces/errors.ts'
import { measureTraceIngest } from './traces/ingest.ts'
import { measureOwnTraces } from './traces/own.ts'
import { measureTraceScreens } from './traces/screens.ts'

/** Runs the parts that the command line names, or all, and prints a table for each. */
export async function runTracesBench(): Promise<void> {
  const { positionals, values } = parseArgs({
    args: process.argv.slice(3),
    allowPositionals: true,
    options: { engine: { type: 'string', default: 'sqlite' } },
  })
  const runs = (part: string) => positionals.length === 0 || positionals.includes(part)
  const length = {
    seconds: Number(process.env['BENCH_SECONDS'] ?? 3),
    rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  }
  console.log(
    `traces: ${length.rounds} rounds of ${length.seconds} s, ${cpus().length} cores shared with the load`,
  )
  const postgres = values.engine.includes('postgres') ? await openBenchPostgres() : undefined
  try {
    if (runs('ingest')) console.table(await measureTraceIngest(length, postgres?.url))
    if (runs('errors')) console.table(await measureErrors(length, postgres?.url))
    if (runs('own')) console.table(await measureOwnTraces(length))
    if (runs('screens'))
      console.table(await measureTraceScreens(Number(process.env['BENCH_BODY_BYTES'] ?? 2_000_000_000)))
  } finally {
    await postgres?.stop()
  }
}
