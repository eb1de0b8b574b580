import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from './browser-app.ts'

/** Another application with a page and a server function, both of which record traces. */
export interface TraceApp {
  /** Of the page, which reports to this DSN. */
  address(dsn: string): string
  close(): Promise<void>
}

const fixtures = join(import.meta.dirname, '../fixtures')

/** Starts the server, which reports to `dsn`. */
export async function startTraceApp(dsn: string): Promise<TraceApp> {
  const folder = mkdtempSync(join(tmpdir(), 'trace-app-'))
  const script = join(folder, 'shop.js')
  writeFileSync(script, await bundle(join(fixtures, 'trace-page.ts')))
  const child = spawn(process.execPath, [join(fixtures, 'trace-server.ts')], {
    env: { ...process.env, SENTRY_DSN: dsn, SHOP_SCRIPT: script },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>((resolve) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const found = /^port (\d+)\n/m.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return {
    address: (pageDsn) => `http://127.0.0.1:${port}/?${new URLSearchParams({ dsn: pageDsn })}`,
    async close() {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}
