// Shows what Culvert sends to this browser, and opens its page on a click. Caches nothing.
// https://www.w3.org/TR/push-api/#the-push-event

self.addEventListener('push', (event) => {
  const { title = 'Culvert', body = '', url = '/inbox', tag } = readMessage(event.data)
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { url: toOwnUrl(url) } }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.url))
})

function readMessage(data) {
  try {
    return data?.json() ?? {}
  } catch {
    // A browser that shows nothing for a message loses its subscription.
    return {}
  }
}

/** A notification leads to no other site. */
function toOwnUrl(text) {
  const url = URL.parse(text, self.location.origin)
  return url?.origin === self.location.origin ? url.href : `${self.location.origin}/inbox`
}

async function openPage(url) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const open = pages.find((page) => page.url === url)
  return open ? open.focus() : self.clients.openWindow(url)
}
