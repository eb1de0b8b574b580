/** A code owner: the user, or the name in the rule if it is a team or unknown. */
export function OwnerName({ owner: { name, user } }: { owner: { name: string; user?: { name: string } } }) {
  if (user !== undefined) return <bdi>{user.name}</bdi>
  return (
    <>
      <bdi>{name}</bdi> <span className="quiet">(no user)</span>
    </>
  )
}
