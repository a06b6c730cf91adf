export const waits = {
  'wait.minutes':
    '{minutes, plural, one {Warten Sie # Minute und versuchen Sie es dann noch einmal.} other {Warten Sie # Minuten und versuchen Sie es dann noch einmal.}}',
  'wait.hours':
    '{hours, plural, one {Warten Sie eine Stunde und versuchen Sie es dann noch einmal.} other {Warten Sie # Stunden und versuchen Sie es dann noch einmal.}}',
}
