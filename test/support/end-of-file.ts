import { afterAll } from 'vitest'
import { killServerProcesses } from './server-process.ts'

// Of a file whose tests all pass nothing is left. What a failed one leaves would take the processor from
// those after it.
afterAll(killServerProcesses)
