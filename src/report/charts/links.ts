/** What a mark stands for, so that a page can light up a system wherever it is drawn, and open what is behind a mark. */
export interface MarkLink {
  /** Places in the lists of the report. */
  readonly system?: number | undefined;
  /** The system that it is compared with. */
  readonly against?: number | undefined;
  readonly topic?: number | undefined;
}

/** Says on a mark what it stands for. */
export function linkMark(mark: Element | null | undefined, { system, against, topic }: MarkLink): void {
  if (system !== undefined) mark?.setAttribute('data-system', String(system));
  if (against !== undefined) mark?.setAttribute('data-against', String(against));
  if (topic !== undefined) mark?.setAttribute('data-topic', String(topic));
}

/** The same for all marks of one kind in a drawing of Plot, which draws them in the order of its data.
 *  @param kind As Plot calls it: `dot`, `cell`, `bar`. */
export function linkMarks(svg: SVGSVGElement, kind: string, links: readonly MarkLink[]): void {
  for (const group of Array.from(svg.querySelectorAll(`g[aria-label="${kind}"]`))) {
    if (group.children.length === links.length) for (const [i, link] of links.entries()) linkMark(group.children[i], link);
  }
}

/** What a mark stands for; undefined if it, and all that it is part of, stands for nothing. */
export function linkOf(mark: Element): MarkLink | undefined {
  const found = mark.closest('[data-system], [data-topic]');
  if (found === null) return undefined;
  const place = (name: string): number | undefined => {
    const text = found.getAttribute(name);
    return text === null ? undefined : Number(text);
  };
  return { system: place('data-system'), against: place('data-against'), topic: place('data-topic') };
}
