/** The language itself: its name in its own words, and the locale whose dates its readers expect. */
export const about = { name: 'English', dates: 'en-GB' }
