import { useRouter } from '@tanstack/react-router'
import { pageDataId, pageDataScript } from '#queries/page-data.ts'

/** The page data for hydration: see `queries/page-data.ts`. The browser keeps the text of the server. */
export function PageDataScript() {
  const { context, ssr } = useRouter().options
  return (
    <script id={pageDataId} type="application/json" nonce={ssr?.nonce} suppressHydrationWarning>
      {import.meta.env.SSR ? pageDataScript(context.queryClient) : ''}
    </script>
  )
}
