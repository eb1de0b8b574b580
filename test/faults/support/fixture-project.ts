import { runCommand } from '#test/run-command.ts'
import { fixtureProject } from '#test/start-server.ts'
import { projectAdd } from '../../../bin/commands/projects/add.ts'

/** Creates `fixtureProject` in a data directory, like an operator. */
export async function addFixtureProject(
  dataDir: string,
  variables: Record<string, string> = {},
): Promise<void> {
  const { id, name, publicKey } = fixtureProject
  const args = [name, '--id', String(id), '--key', publicKey]
  const { code, stderr } = await runCommand(projectAdd, args, { CULVERT_DATA_DIR: dataDir, ...variables })
  if (code !== 0) throw new Error(stderr)
}
