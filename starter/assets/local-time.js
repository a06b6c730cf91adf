// The server writes times in UTC, because only the browser knows the zone of its reader. The exact UTC stays in `title`.

const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: 'medium',
  timeStyle: 'short',
})

for (const time of document.querySelectorAll('time[datetime]')) {
  const milliseconds = Date.parse(time.getAttribute('datetime') ?? '')
  if (!Number.isNaN(milliseconds)) time.textContent = format.format(milliseconds)
}
