import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { Deploy } from '#server/store/releases/records.ts'

/** The deploys of a release, latest first. */
export function DeployTable({ deploys }: { deploys: readonly Deploy[] }) {
  return (
    <Panel id="deploys" title="Deploys">
      <table className="release-figures">
        <TableHead columns={['Environment', 'Name', 'Finished']} />
        <tbody>
          {deploys.map(({ id, environment, name, url, finishedAt }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{environment}</bdi>
              </th>
              <td>{url === undefined ? (name ?? '') : <a href={url}>{name ?? url}</a>}</td>
              <td>
                <Time at={finishedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
