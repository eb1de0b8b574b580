import { createContext, Script } from 'node:vm'
import { errorCode } from './errors.ts'

const bridge = { run: (): void => undefined }
const context = createContext(bridge)
const script = new Script('run()')

/**
 * Runs synchronous code and terminates it after `timeoutMs`, even within a regular expression or an endless
 * loop. Terminated code runs neither `catch` nor `finally`. Rethrows what the code throws.
 *
 * Node starts a thread per call, which takes 0.1 ms (measured), so use it for batches. Calls do not nest.
 */
export function runTimed(run: () => void, timeoutMs: number): 'done' | 'timed_out' {
  bridge.run = run
  try {
    script.runInContext(context, { timeout: timeoutMs })
    return 'done'
  } catch (thrown) {
    if (errorCode(thrown) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'timed_out'
    throw thrown
  } finally {
    bridge.run = () => undefined
  }
}
