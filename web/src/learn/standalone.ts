/** The classroom on a page of its own: everything is computed where it stands, by the library alone. */
import { type Lesson, lessonOf } from 'gradus/experiment';
import { mount, unmount } from 'svelte';
import Classroom from './Classroom.svelte';
import { aboutMeasure, firstLesson, type LessonWords, lessonMeasures, wordsOf } from './lesson.js';

export interface ClassroomOptions {
  /** What is computed; the usual measures by default. */
  readonly measures?: readonly string[] | undefined;
  /** The ranking to begin with, as the address has it. */
  readonly words?: LessonWords | undefined;
}

/** Shows the classroom inside an element, and gives back what removes it. */
export function mountClassroom(target: HTMLElement, { measures = lessonMeasures, words }: ClassroomOptions = {}): () => void {
  const component = mount(Classroom, {
    target,
    props: {
      first: firstLesson(words),
      measures,
      about: aboutMeasure,
      compute: (lesson: Lesson, texts: readonly string[]) => lessonOf(lesson, { measures: texts }),
      onchange: (lesson: Lesson) => history.replaceState(null, '', `#${new URLSearchParams(wordsOf(lesson))}`),
    },
  });
  return () => void unmount(component);
}
