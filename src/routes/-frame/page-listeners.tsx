import { useEffect } from 'react'
import { closeMenus } from '#navigation/close-menus.ts'
import { whenBackOnline } from '#navigation/connection.ts'
import { keepSelectedText } from '#navigation/selected-text.ts'
import { followChanges, type PageStore } from '#queries/changes/changed-data.ts'
import { reloadByCurrentLinks } from '#queries/changes/current-screen.ts'

/** The listeners of every page in the browser. */
export function usePageListeners({ queryClient, router }: PageStore): void {
  useEffect(() => whenBackOnline(() => void router.invalidate()), [router])
  useEffect(() => followChanges({ queryClient, router }), [queryClient, router])
  useEffect(() => reloadByCurrentLinks({ queryClient, router }), [queryClient, router])
  useEffect(() => closeMenus(router), [router])
  useEffect(keepSelectedText, [])
}
