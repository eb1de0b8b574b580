/** An owner of code: the user, or the name as it was written, which is a team or unknown here. */
export function OwnerName({ owner: { name, user } }: { owner: { name: string; user?: { name: string } } }) {
  if (user !== undefined) return <bdi>{user.name}</bdi>
  return (
    <>
      <bdi>{name}</bdi> <span className="quiet">(no user)</span>
    </>
  )
}
