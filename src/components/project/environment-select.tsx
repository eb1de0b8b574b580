/** The choice of an environment in a form of filters; nothing chosen is all of them. */
export function EnvironmentSelect({
  environments,
  chosen,
}: {
  environments: readonly string[]
  chosen: string | undefined
}) {
  return (
    <select name="environment" aria-label="Environment" defaultValue={chosen ?? ''}>
      <option value="">All environments</option>
      {environments.map((environment) => (
        <option key={environment}>{environment}</option>
      ))}
    </select>
  )
}
