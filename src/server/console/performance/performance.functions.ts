import * as v from 'valibot'
import { signedInFn } from '#server/auth/session-middleware.functions.ts'
import { orNotFound } from '#server/router.ts'
import { performanceSearch, spanGroupSearch, transactionSearch } from './performance.search.ts'
import { getPerformanceView } from './performance.ts'
import { findSpanGroupView } from './span-group.ts'
import { findTransactionView } from './transaction.ts'

/** The list of the performance page under the filters of the URL. */
export const fetchPerformance = signedInFn()
  .validator(performanceSearch)
  .handler(({ data, context }) => getPerformanceView(context.services, context.viewer, data))

/** One transaction. Not found if no accessible project has it. */
export const fetchTransaction = signedInFn()
  .validator(
    v.object({
      project: v.pipe(v.string(), v.maxLength(100)),
      transaction: v.pipe(v.string(), v.maxLength(20)),
      ...transactionSearch.entries,
    }),
  )
  .handler(({ data, context }) => orNotFound(findTransactionView(context.services, context.viewer, data)))

/** One group of spans. Not found if no accessible project has it. */
export const fetchSpanGroup = signedInFn()
  .validator(
    v.object({
      project: v.pipe(v.string(), v.maxLength(100)),
      group: v.pipe(v.string(), v.maxLength(20)),
      ...spanGroupSearch.entries,
    }),
  )
  .handler(({ data, context }) => orNotFound(findSpanGroupView(context.services, context.viewer, data)))
