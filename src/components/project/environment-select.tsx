/**
 * The choice of an environment in a form of filters; nothing chosen is all of them. One that nobody sends
 * from stays chosen where an address names it: the list is filtered by it.
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
