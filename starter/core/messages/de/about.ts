export const about = { name: 'Deutsch', dates: 'de' }
