import { beforeEach } from 'vitest'
import type { Command } from '../../bin/commands/command.ts'
import { projectAdd } from '../../bin/commands/projects/add.ts'
import { runCommand } from './run-command.ts'
import type { CommandResult } from './server-process.ts'
import { makeTestFolder } from './test-store.ts'

/** The command line on a data directory with the project `fixture`, 42, which is new for each test. */
export interface CommandLine {
  run: (command: Command, ...args: string[]) => Promise<CommandResult>
  /** Path of the data directory. */
  readonly path: string
}

/** Creates a data directory before each test of a file. `options`: further arguments of `project add`. */
export function prepareCommandLine(...options: string[]): CommandLine {
  let dataDir: string
  const commandLine = {
    run: (command: Command, ...args: string[]) => runCommand(command, args, { CULVERT_DATA_DIR: dataDir }),
    get path() {
      return dataDir
    },
  }
  beforeEach(async () => {
    dataDir = await makeTestFolder()
    await commandLine.run(projectAdd, 'fixture', '--id', '42', ...options)
  })
  return commandLine
}
