/** `npm run bench -- NAME`: runs one benchmark, `ingest` by default. */

const benches: Record<string, () => Promise<void>> = {
  ingest: async () => (await import('./ingest.ts')).runIngestBench(),
  pages: async () => (await import('./pages.ts')).runPagesBench(),
  console: async () => (await import('./console.ts')).runConsoleBench(),
  overload: async () => (await import('./overload.ts')).runOverloadBench(),
  connections: async () => (await import('./connections.ts')).runConnectionsBench(),
  soak: async () => (await import('./soak.ts')).runSoakBench(),
  reads: async () => (await import('./reads.ts')).runReadsBench(),
  searches: async () => (await import('./searches.ts')).runSearchesBench(),
  fill: async () => (await import('./fill.ts')).runFill(),
  retention: async () => (await import('./retention.ts')).runRetentionBench(),
  sessions: async () => (await import('./sessions.ts')).runSessionsBench(),
  scrub: async () => (await import('./scrub.ts')).runScrubBench(),
  tunnel: async () => (await import('./tunnel.ts')).runTunnelBench(),
  'bad-inputs': async () => (await import('./bad-inputs.ts')).runBadInputsBench(),
  processing: async () => (await import('./processing.ts')).runProcessingBench(),
  vercel: async () => (await import('./vercel.ts')).runVercelBench(),
  processes: async () => (await import('./processes.ts')).runProcessesBench(),
  alerts: async () => (await import('./alerts.ts')).runAlertsBench(),
  traces: async () => (await import('./traces.ts')).runTracesBench(),
  monitors: async () => (await import('./monitors.ts')).runMonitorsBench(),
  committer: async () => void (await import('./committer.ts')),
  written: async () => (await import('./committer/written.ts')).runWrittenBench(),
}

const name = process.argv[2] ?? 'ingest'
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (bench === undefined) {
  console.error(`There is no benchmark ${JSON.stringify(name)}. There is: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 2
} else {
  await bench()
}
