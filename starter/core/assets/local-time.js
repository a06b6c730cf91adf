// The server writes times in UTC, because only the browser knows the zone of its reader. The exact UTC stays in `title`.

// The same form as the server's, so that a page shows one: 31 January 2026 is "31 Jan 2026".
const { lang } = document.documentElement
const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

for (const time of document.querySelectorAll('time[datetime]')) {
  const milliseconds = Date.parse(time.getAttribute('datetime') ?? '')
  if (!Number.isNaN(milliseconds)) time.textContent = format.format(milliseconds)
}
