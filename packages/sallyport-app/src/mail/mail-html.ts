import type { Mail } from './mailer.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const LINK = /^https?:\/\/\S+$/

/**
 * @param application Name of the application, which stands below the text.
 * @returns The same mail as HTML: paragraphs, links on lines of their own, and nothing that a program would fetch.
 */
export function mailHtml({ subject, text, language }: Mail, application: string): string {
  const lang = language === undefined ? '' : ` lang="${escape(language)}"`
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${linesOf(paragraph)}</p>`)
  return [
    `<!doctype html><html${lang}><head><meta charset="utf-8"><title>${escape(subject)}</title></head>`,
    '<body style="margin:0 auto;max-width:36em;padding:1.5em;font:16px/1.5 sans-serif">',
    ...paragraphs,
    `<p style="color:#666">${escape(application)}</p>`,
    '</body></html>',
  ].join('\n')
}

function linesOf(paragraph: string): string {
  return paragraph
    .split('\n')
    .map((line) => (LINK.test(line) ? `<a href="${escape(line)}">${escape(line)}</a>` : escape(line)))
    .join('<br>\n')
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
