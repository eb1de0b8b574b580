import type { QueryExecuteOptions, QueryKey } from '@tanstack/react-query'
import { loadPageData, type PageLoad } from '#navigation/load-page-data.ts'
import { pageHead } from './page-title.ts'

/** The route options of a page with a constant title, whose query depends on its `loaderDeps` at most. */
export function pageRoute<Deps, Data, Key extends QueryKey>(
  title: string,
  toQuery: (deps: Deps) => QueryExecuteOptions<Data, Error, Data, Data, Key>,
) {
  return {
    loader: (load: PageLoad & { deps: Deps }) => loadPageData(load, toQuery(load.deps)),
    head: () => pageHead(title),
  }
}
