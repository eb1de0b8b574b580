import { afterAll } from 'vitest'
import { killServerProcesses } from './server-process.ts'

// A file whose tests all pass leaves no process. Those of a failed test would slow down the following ones.
afterAll(killServerProcesses)
