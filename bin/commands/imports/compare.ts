import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { listComparedIssues } from '#server/store/imports/imported-issues.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { readOptions, type Command } from '../command.ts'
import { withProjectStore } from '../projects/store.ts'

const usage = 'culvert import compare [--json]'

/** `culvert import compare`: the counts of imported issues in both trackers, largest difference first. */
export const importCompare: Command = async (args, context) => {
  const { values } = readOptions(usage, args, { json: { type: 'boolean' } })
  await withProjectStore(context, async ({ store }) => {
    const projectIds = (await listProjectNames(store.db)).map(({ id }) => id)
    const issues = await listComparedIssues(store.db, { projectIds, limit: limits.comparedIssues })
    if (values.json === true) {
      context.print(`${JSON.stringify(issues, null, 2)}\n`)
      return
    }
    if (issues.length === 0) throw new OperatorError('No issue was imported.')
    const lines = issues.map(({ shortId, sourceCount, ownCount, comparedAt, title }) => {
      const [there, here, difference] = [sourceCount, ownCount, ownCount - sourceCount].map((count) =>
        String(count).padStart(9),
      )
      return `${shortId.padEnd(16)}${there}${here}${difference}  ${new Date(comparedAt).toISOString()}  ${title.slice(0, 80)}`
    })
    const heading = `${'issue'.padEnd(16)}    there     here     diff  compared\n`
    context.print(`${heading}${lines.join('\n').replaceAll(/[^\P{Cc}\n]/gu, ' ')}\n`)
  })
}
