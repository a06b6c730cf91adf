import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'event.ops-refused': 'Zugang zum Betrieb abgelehnt, falsches Passwort',
  'ops.insecure': 'Diese Seiten gibt es nur über HTTPS. Öffnen Sie sie mit https:// am Anfang.',
  'ops.credentials': 'Für diese Seiten brauchen Sie Name und Passwort des Betriebs.',
  'ops.title': 'Betrieb',
  'ops.facts': 'Zustand',
  'ops.started': 'Gestartet',
  'ops.sessions': 'Sitzungen',
  'ops.sessions.up': 'Der Speicher antwortet',
  'ops.sessions.down': 'Der Speicher antwortet nicht',
  'ops.accounts': 'Konten',
  'ops.accounts.count': '{active} aktiv, {disabled} gesperrt, {secured} mit zweitem Schritt',
  'ops.confirmations': 'Noch nicht bestätigte Adressen',
  'ops.failures': 'Fehlversuche innerhalb von 15 Minuten',
  'ops.mails': 'E-Mails',
  'ops.mails.waiting': 'Warten auf den Versand',
  'ops.mails.oldest': 'Die älteste davon',
  'ops.mails.given-up': 'Nicht versendet',
  'ops.mails.hint':
    'Mit der Antwort des Servers. Die Empfänger nennt ein Befehl, den die Anleitung zum Betrieb beschreibt.',
  'ops.mails.retry': 'Alle noch einmal versuchen',
  'ops.mails.retried': 'Die E-Mails werden noch einmal versucht.',
  'ops.trail': 'Protokoll',
  'ops.trail.entries': 'Einträge',
  'ops.trail.oldest': 'Ältester Eintrag',
}
