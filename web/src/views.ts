/** The views of the page. A view is a record here and a component that is loaded when it is opened. */
import type { Component } from 'svelte';
import type { Results } from './engine/protocol.js';
import type { AppState } from './state.svelte.js';

interface ViewBase {
  /** As in the address: `#/leaderboard`. */
  readonly id: string;
  readonly title: string;
  /** What stands above it, where that is more than its title. */
  readonly heading?: string;
  /** Its name in addresses of earlier versions: `#view=scores`. */
  readonly formerly?: string;
  /** *bar*: in the row of views, whose end moves into a menu where room is short; *button*: beside it, for what one does with results. */
  readonly place: 'bar' | 'button';
  /** Whether it begins with a finding of its own; its title stands above it otherwise. */
  readonly hasFinding?: boolean;
  /** The words of the address that are this view's own, such as the topic; settings are in every address. */
  readonly words: readonly string[];
}

/** A view of scored files. */
export interface ResultsView extends ViewBase {
  readonly needs: 'results';
  load(): Promise<{ default: Component<{ app: AppState; results: Results }> }>;
}

/** A view that is there from the start, without any file. */
export interface FreeView extends ViewBase {
  readonly needs: 'nothing';
  load(): Promise<{ default: Component<{ app: AppState }> }>;
}

export type ViewRecord = ResultsView | FreeView;

/** In the order of the row; the first is where everybody begins. */
export const views: readonly ViewRecord[] = [
  {
    id: 'verdict',
    title: 'Verdict',
    formerly: 'compare',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['by'],
    load: () => import('./glance/VerdictView.svelte'),
  },
  {
    id: 'leaderboard',
    title: 'Leaderboard',
    formerly: 'scores',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['by', 'sort', 'pin', 'hide', 'group', 'show', 'order', 'system', 'measure'],
    load: () => import('./glance/LeaderboardView.svelte'),
  },
  {
    id: 'topics',
    title: 'Topics',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['by', 'a', 'b', 'show'],
    load: () => import('./glance/TopicsView.svelte'),
  },
  {
    id: 'diff',
    title: 'Ranking diff',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['by', 'a', 'b', 'topic'],
    load: () => import('./glance/DiffView.svelte'),
  },
  {
    id: 'rules',
    title: 'Rules',
    formerly: 'explain',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['by', 'system', 'from', 'along', 'follow'],
    load: () => import('./rules/RulesView.svelte'),
  },
  {
    id: 'train',
    title: 'Train',
    place: 'bar',
    needs: 'nothing',
    hasFinding: true,
    words: ['learner', 'against', 'measure', 'options'],
    load: () => import('./train/TrainView.svelte'),
  },
  {
    id: 'learn',
    title: 'Learn',
    place: 'bar',
    needs: 'nothing',
    hasFinding: true,
    words: ['g', 'missed', 'm', 'by'],
    load: () => import('./learn/LearnView.svelte'),
  },
  {
    id: 'compare',
    title: 'Compare',
    place: 'bar',
    needs: 'results',
    words: ['by'],
    load: () => import('./components/CompareView.svelte'),
  },
  {
    id: 'topic',
    title: 'One topic',
    formerly: 'topic',
    place: 'bar',
    needs: 'results',
    words: ['t', 'system', 'measure'],
    load: () => import('./components/TopicView.svelte'),
  },
  {
    id: 'checks',
    title: 'Checks',
    formerly: 'checks',
    place: 'bar',
    needs: 'results',
    words: [],
    load: () => import('./components/ChecksView.svelte'),
  },
  {
    id: 'fuse',
    title: 'Fuse',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['by', 'method', 'norm', 'weights'],
    load: () => import('./fuse/FuseView.svelte'),
  },
  {
    id: 'trust',
    title: 'Trust',
    place: 'bar',
    needs: 'results',
    hasFinding: true,
    words: ['about', 'difference', 'power'],
    load: () => import('./trust/TrustView.svelte'),
  },
  {
    id: 'judge',
    title: 'Judge',
    heading: 'Judge documents',
    place: 'bar',
    needs: 'results',
    words: ['documents', 'each'],
    load: () => import('./components/JudgeView.svelte'),
  },
  {
    id: 'export',
    title: 'Export',
    formerly: 'export',
    place: 'button',
    needs: 'results',
    words: [],
    load: () => import('./components/ExportView.svelte'),
  },
];

export const firstView: ViewRecord = views[0];

export function viewNamed(id: string): ViewRecord {
  return views.find((view) => view.id === id) ?? firstView;
}
