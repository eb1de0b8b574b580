import type { KyselyPlugin } from 'kysely'
import { expect, it } from 'vitest'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { readAlertIssues } from './subjects.ts'

const issueIds = ['a', 'b'].map((name) => issueIdCandidate(1, testId(name), 0))

it('an issue that is merged while its state is read is not lost', async () => {
  const store = await openTestStore()
  const events = ['a', 'b'].map((name) =>
    makeEventRecord({ eventId: testId(`event ${name}`), groupHash: testId(name) }),
  )
  await store.commit(...events)
  let isMerged = false
  const mergeAfterFirst: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isMerged) return result
      isMerged = true
      const by = { userId: 'ada', at: testNow, intoId: issueIds[0] ?? 0 }
      await recordMerge(store, { issueIds, projectIds: testProjectIds }, by)
      return result
    },
  }
  const states = await readAlertIssues(store.db.withPlugin(mergeAfterFirst), { projectId: 1, issueIds })
  expect(isMerged).toBe(true)
  expect(new Set(states.keys())).toEqual(new Set(issueIds))
})
