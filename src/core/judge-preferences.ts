/** One topic's preferences, counted. */
export interface PreferenceTopic {
  readonly groups: readonly PreferenceGroup[];
}

export interface PreferenceGroup {
  readonly possible: number;
}
