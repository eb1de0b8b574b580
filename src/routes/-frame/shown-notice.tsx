import { useCallback, useState } from 'react'
import { NoticeLine, type NoticeLineProps } from '#components/layout/notice-line.tsx'
import { showNotice, useNotice } from '#navigation/notices.ts'
import { appConfig } from '../../../app.config.ts'

/** The result of the last action, on every screen; `posted` is that of a form posted without JavaScript. */
export function ShownNotice({ posted }: { posted: NoticeLineProps['notice'] }) {
  const [isDismissed, setDismissed] = useState(posted === undefined)
  const dismiss = useCallback(() => {
    setDismissed(true)
    showNotice(undefined)
  }, [])
  const first = isDismissed ? undefined : posted
  return <NoticeLine notice={useNotice() ?? first} onDismiss={dismiss} shownMs={appConfig.noticeMs} />
}
