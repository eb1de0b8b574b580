/**
 * Selects an environment in a filter form; empty means all. An environment in the URL without events stays
 * selected, because the list is filtered by it.
 */
export function EnvironmentSelect({
  environments,
  chosen,
}: {
  environments: readonly string[]
  chosen: string | undefined
}) {
  const isUnknown = chosen !== undefined && !environments.includes(chosen)
  return (
    <select name="environment" aria-label="Environment" defaultValue={chosen ?? ''}>
      <option value="">All environments</option>
      {isUnknown && <option>{chosen}</option>}
      {environments.map((environment) => (
        <option key={environment}>{environment}</option>
      ))}
    </select>
  )
}
