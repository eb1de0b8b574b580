import { NoticeLine } from '#components/layout/notice-line.tsx'
import { showNotice, useNotice } from '#navigation/notices.ts'
import { appConfig } from '../../app.config.ts'

/** What was done last, on every screen. */
export function ShownNotice() {
  return <NoticeLine notice={useNotice()} onDismiss={dismiss} shownMs={appConfig.noticeMs} />
}

function dismiss(): void {
  showNotice(undefined)
}
