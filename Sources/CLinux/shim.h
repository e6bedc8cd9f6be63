// What Swift's Glibc module leaves out: epoll, and functions that glibc shows to those who define _GNU_SOURCE only.
#pragma once
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <time.h>

#include "lookup.h"

extern void *memmem(const void *hay, size_t hay_size, const void *needle, size_t needle_size);
extern int ppoll(struct pollfd *items, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
extern int malloc_trim(size_t pad);
extern int pthread_setname_np(pthread_t thread, const char *name);

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// A descriptor that becomes readable when the process ends; -1 and errno where there is none.
static inline int billfold_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Gives the calling thread a table of open files of its own, with the first three of its process; -1 and errno where that
// cannot be (Linux 5.9).
static inline int billfold_leave_files(void) {
    enum { close_range_unshare = 2 };
    return (int)syscall(SYS_close_range, 3, ~0U, close_range_unshare);
}

// Starts a process at the head of a group of its own, with standard output and error on `output`. It is sent SIGTERM when
// the thread that starts it ends, however that comes about: posix_spawn has no way to say so.
//
// Returns the process, or -errno of what failed, be it in the new process. Between fork and execve only what may be called
// there is called: other threads may hold any lock.
static inline pid_t billfold_start(const char *path, char *const arguments[], char *const environment[],
                                   const char *directory, int output) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t parent = getpid();
    pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0);
        sigset_t none;
        sigemptyset(&none);
        for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        int nothing = open("/dev/null", O_RDONLY);
        int failure = 0;
        if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0
            || chdir(directory) != 0)
            failure = errno;
        // It may have ended before the signal was asked for.
        if (getppid() != parent) _exit(127);
        if (failure == 0) {
            execve(path, arguments, environment);
            failure = errno;
        }
        ssize_t written = write(report[1], &failure, sizeof failure);
        _exit(written > 0 ? 127 : 126);
    }
    int failure = process < 0 ? errno : 0;
    close(report[1]);
    if (process > 0) {
        // Also here: whoever signals the group must not come too early.
        setpgid(process, process);
        ssize_t count;
        do count = read(report[0], &failure, sizeof failure);
        while (count < 0 && errno == EINTR);
    }
    close(report[0]);
    return failure != 0 ? -failure : process;
}

// Stands by until `input` ends, as it does when whoever writes into it is gone, and then ends the groups of processes that
// it has been told of: a number begins one, its negative takes it off again. What PDEATHSIG does for the processes that were
// started, this does for those that they have started. Never returns.
static inline void billfold_stand_guard(int input) {
    enum { groups_max = 256 };
    static int groups[groups_max];
    int count = 0, word;
    setsid();
    prctl(PR_SET_NAME, "billfold-guard");
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    if (dup2(input, 0) < 0) _exit(1);
    syscall(SYS_close_range, 3, ~0U, 0);
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, 1);
    dup2(nothing, 2);
    for (;;) {
        ssize_t length = read(0, &word, sizeof word);
        if (length < 0 && errno == EINTR) continue;
        if (length != sizeof word) break;
        if (word > 0 && count < groups_max) groups[count++] = word;
        for (int index = 0; word < 0 && index < count; index++)
            if (groups[index] == -word) groups[index--] = groups[--count];
    }
    for (int index = 0; index < count; index++) kill(-groups[index], SIGTERM);
    // 2 s: as long as a set may take to stop.
    for (int turn = 0; turn < 200; turn++) {
        int alive = 0;
        for (int index = 0; index < count; index++) alive += kill(-groups[index], 0) == 0;
        if (alive == 0) break;
        usleep(10000);
    }
    for (int index = 0; index < count; index++) kill(-groups[index], SIGKILL);
    _exit(0);
}

// Standard output is written line by line, whatever it is. Swift does not let `stdout` be used.
static inline void billfold_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

// Whether something that was printed was not written. A reader that has left wants no more.
static inline bool billfold_has_lost_output(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return false;
    struct pollfd reader = {.fd = STDOUT_FILENO, .events = 0};
    return poll(&reader, 1, 0) <= 0 || !(reader.revents & POLLERR);
}

// Orphaned descendants become this process's children.
static inline void billfold_take_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

// Starts whoever stands guard, as a process of its own. -errno where that failed.
static inline pid_t billfold_post_guard(int input) {
    pid_t process = fork();
    if (process == 0) billfold_stand_guard(input);
    return process < 0 ? -errno : process;
}

// The process at the other end of a Unix socket, as the kernel knows it (SO_PEERCRED); 0 for one in another container.
// `struct ucred` is shown to those who define _GNU_SOURCE only.
static inline pid_t billfold_peer_process(int connection) {
    struct { pid_t process; uid_t user; gid_t group; } peer = {0, 0, 0};
    socklen_t size = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.process : 0;
}
