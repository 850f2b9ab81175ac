// Makes a process believe that it is number 1, as every process of a container is.
Object.defineProperty(process, 'pid', { value: 1 });
