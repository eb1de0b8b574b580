import { makeReleaseFixture } from '#test/releases/make-fixture.ts'

/** `npm run release-fixture -- TAG`: the database from which upgrade tests start, created by that version. */
const [tag] = process.argv.slice(2)
if (tag === undefined) {
  console.error('Usage: npm run release-fixture -- TAG')
  process.exitCode = 2
} else {
  console.log(await makeReleaseFixture(tag))
}
