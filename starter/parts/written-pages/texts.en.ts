/** Its texts in English. */
export const en = {
  'page.title': '{title}',
}
