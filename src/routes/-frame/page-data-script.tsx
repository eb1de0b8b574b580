import { useRouter } from '@tanstack/react-router'
import { pageDataId, pageDataScript } from '#queries/page-data.ts'

/** The data of the page for hydration, as JSON: see `queries/page-data.ts`. The browser keeps the server's. */
export function PageDataScript() {
  const { context, ssr } = useRouter().options
  return (
    <script id={pageDataId} type="application/json" nonce={ssr?.nonce} suppressHydrationWarning>
      {import.meta.env.SSR ? pageDataScript(context.queryClient) : ''}
    </script>
  )
}
